/** Texts about Environments, wherever they are named. */
export const environments = {
  none: 'No Environment',
};
