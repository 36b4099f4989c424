import { formatTime } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { ApiError, CanceledError, ConnectionError } from './errors.ts';

export interface ErrorDescription {
  title: string;
  description: string;
  /** When to try again. */
  retryAt?: number | undefined;
}

/** Says what happened, what it means and what to do. Returns undefined if the person canceled the request. */
export function describeError(error: unknown): ErrorDescription | undefined {
  const { titles, descriptions } = text.errors;
  if (error == null || error instanceof CanceledError) return undefined;
  if (error instanceof ConnectionError) return { title: titles.connection, description: descriptions.connection };
  if (!(error instanceof ApiError)) return { title: titles.unknown, description: descriptions.unknown };
  const said = error.messages.map(plainMessage).join(' ');
  switch (error.status) {
    case 403:
      return { title: titles.forbidden, description: said };
    case 404:
      return { title: titles.gone, description: said || descriptions.gone };
    case 409:
      return { title: titles.conflict, description: said };
    case 422:
      return { title: titles.invalid, description: said };
    case 429:
      return { title: titles.limited, description: '', retryAt: error.retryAt };
    case 507:
      return { title: titles.full, description: descriptions.full };
    case 502:
    case 503:
    case 504:
      return { title: titles.unavailable, description: descriptions.unavailable };
    default:
      return { title: titles.unknown, description: said || descriptions.unknown };
  }
}

const TIMESTAMP = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/**
 * Makes a message of the API readable: it marks names with backticks, has times for programs, and ends without a
 * period.
 */
export function plainMessage(message: string): string {
  const readable = message.replace(TIMESTAMP, (time) => formatTime(new Date(time)));
  return `${readable.replaceAll('`', '').replace(/[.]$/, '')}.`;
}

/** The messages of the API that are about a field, by its name, in the words of the form. */
export function fieldErrors<Field extends string>(
  error: unknown,
  labels: Record<Field, string>,
): Partial<Record<Field, string>> {
  if (!(error instanceof ApiError) || error.status !== 422) return {};
  const found: Partial<Record<Field, string>> = {};
  for (const message of error.messages) {
    const [, name, rest] = /^`(\w+)`(.*)$/s.exec(message) ?? [];
    if (name !== undefined && name in labels) found[name as Field] ??= plainMessage(`${labels[name as Field]}${rest}`);
  }
  return found;
}
