import { findPasswordProblem, MIN_PASSWORD } from '@usher/domain';
import * as text from '../messages/text.ts';
import { PasswordField, type PasswordFieldProps } from '../ui/password-field.tsx';
import { passwordStrength } from './password-strength.ts';

const words = text.ui.passwordStrength;

interface NewPasswordFieldProps extends Omit<PasswordFieldProps, 'strength'> {
  /** The email and the name of the person, which others know and which are no good password. */
  about: readonly string[];
}

/** A field for a new password. It says why the server would not accept the password before it is sent. */
export function NewPasswordField({ about, ...props }: NewPasswordFieldProps) {
  const { value: password = '' } = props;
  const level = passwordStrength(password, about);
  return <PasswordField {...props} strength={{ level, words: describe(password, level, about) }} />;
}

function describe(password: string, level: number, about: readonly string[]): string {
  if (password === '') return words.empty(MIN_PASSWORD);
  const problem = findPasswordProblem(password, about);
  if (problem === 'short') return words.short(MIN_PASSWORD - [...password].length);
  return (problem ? words[problem] : words.levels[level - 1]) ?? '';
}
