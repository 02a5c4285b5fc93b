export const workbench = {
};
