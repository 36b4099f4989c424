import type { HealthCheck, HealthCheckName } from '@usher/domain';

/** A problem and what to do about it, or what is good. */
export type Judgement = { problem: string } | { attention: string } | { good: string };

export function toCheck(name: HealthCheckName, judgement: Judgement): HealthCheck {
  const [[state, message]] = Object.entries(judgement) as [[HealthCheck['state'], string]];
  return { name, state, message };
}
