/** Texts of charts, whatever they show. */
export const chart = {
  showTable: 'Show as table',
  showChart: 'Show as chart',
  columns: { day: 'Day', week: 'Week' },
  /** The name of the last column, while its day or week is not over. */
  today: { day: 'Today so far', week: 'This week' },
  /** What a screen reader says about a day or week. */
  point: (title: string, values: readonly string[], incomplete: 'day' | 'week' | undefined) =>
    `${title}: ${values.join(', ')}${incomplete ? `. The ${incomplete} is not over.` : ''}`,
  keys: 'Use the arrow keys to move between the columns.',
};
