export const duel = {
};
