export const named = () => [];
