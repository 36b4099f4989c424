/** Returns the code of an error of Node or of a library, such as `ENOENT`; empty if it has none. */
export function codeOf(error: unknown): string {
  return readText(error, 'code');
}

/** Returns the system call that failed; empty if it is another error. */
export function systemCallOf(error: unknown): string {
  return readText(error, 'syscall');
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function readText(error: unknown, name: 'code' | 'syscall'): string {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return String(value ?? '');
}
