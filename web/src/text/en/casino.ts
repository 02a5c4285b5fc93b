export const casino = {
};
