import { explainPasswordProblem, findPasswordProblem } from '@usher/domain';
import { invalid } from '../../../errors.ts';

/** Rejects a password that is too easy to guess, for a person with this email and name. */
export function checkNewPassword(password: string, { email, name }: { email: string; name: string }): void {
  const problem = findPasswordProblem(password, [email, name]);
  if (problem) throw invalid(`\`password\` ${explainPasswordProblem(problem)}`);
}
