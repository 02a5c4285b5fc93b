export const destiny = {
};
