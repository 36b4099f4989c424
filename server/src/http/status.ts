/** JSON leaves out what is named by a symbol. */
const params = Symbol('status');

/** The answer, with one of the other statuses of its endpoint. */
export function withStatus<T extends object>(status: number, answer: T): T {
  return Object.assign(answer, { [params]: status });
}

/** The status an answer was given, if any. */
export function statusOf(answer: unknown): number | undefined {
  return (answer as { [params]?: number } | null | undefined)?.[params];
}
