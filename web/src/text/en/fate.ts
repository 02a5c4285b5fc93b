export const fate = {
};
