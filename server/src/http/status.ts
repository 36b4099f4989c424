const statuses = new WeakMap<object, number>();

/** The answer, with one of the other statuses of its endpoint. */
export function withStatus<T extends object>(status: number, answer: T): T {
  statuses.set(answer, status);
  return answer;
}

/** The status an answer was given, if any. */
export function statusOf(answer: unknown): number | undefined {
  return typeof answer === 'object' && answer !== null ? statuses.get(answer) : undefined;
}
