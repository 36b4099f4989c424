/** Texts of charts, whatever they show. */
export const chart = {
  showTable: 'Show as table',
  showChart: 'Show as chart',
  columns: { day: 'Day', week: 'Week' },
  /** The name of the last column, while the day is not over. */
  today: 'Today so far',
  /** What a screen reader says about a day. */
  point: (day: string, values: readonly string[], isIncomplete: boolean) =>
    `${day}: ${values.join(', ')}${isIncomplete ? '. The day is not over.' : ''}`,
  keys: 'Use the arrow keys to move between the columns.',
};
