export const dice = {
};
