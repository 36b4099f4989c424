const found = (count: string, number: number) => (number === 0 ? 'Nothing found so far.' : `${count} found so far.`);

/** Texts of lists that are loaded while one scrolls. */
export const lists = {
  looking: (count: string, number: number) => `Still looking. ${found(count, number)}`,
  stopped: (count: string, number: number) => `Stopped looking. ${found(count, number)}`,
  stop: 'Stop looking',
  goOn: 'Go on looking',
  retry: 'Load again',
};
