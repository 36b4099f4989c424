/** JSON leaves out what is named by a symbol. */
const given = Symbol('status');

/** The answer, with one of the other statuses of its endpoint. */
export function withStatus<T extends object>(status: number, answer: T): T {
  return Object.assign(answer, { [given]: status });
}

/** The status an answer was given, if any. */
export function statusOf(answer: unknown): number | undefined {
  return (answer as { [given]?: number } | null | undefined)?.[given];
}
