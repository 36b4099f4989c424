const MAX_EXCERPT = 40;

class TextError extends Error {}

/** Throws the problem, with its position when that is known. */
export function reject(what: string, source = '', at?: number): never {
  throw new TextError(at === undefined ? what : `${what} ${describePlace(source, at)}`);
}

export function catchProblem<Read>(read: () => Read): Read | { problem: string } {
  try {
    return read();
  } catch (error) {
    if (error instanceof TextError) return { problem: error.message };
    throw error;
  }
}

/** The part of a text that a message shows. */
export function shorten(text: string): string {
  const line = text.trimEnd();
  const end = Math.min(MAX_EXCERPT, `${line}\n`.indexOf('\n'));
  return line.length > end ? `${line.slice(0, end).toWellFormed()}…` : line;
}

function describePlace(source: string, at: number): string {
  const lines = source.slice(0, at).split('\n');
  const character = [...(lines.at(-1) ?? '')].length + 1;
  return source.includes('\n') ? `(line ${lines.length}, character ${character})` : `(character ${character})`;
}
