/** Whether an address leads to the machine itself. */
export function isLocal(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1?\])$/.test(new URL(url).hostname);
}
