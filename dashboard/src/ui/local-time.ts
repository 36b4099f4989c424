const pad = (value: number) => String(value).padStart(2, '0');

/** A time in the format of `<input type="datetime-local">`: in the reader's time zone, without seconds. */
export function toLocalTime(iso: string): string {
  const time = new Date(iso);
  const date = `${String(time.getFullYear()).padStart(4, '0')}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
  return `${date}T${pad(time.getHours())}:${pad(time.getMinutes())}`;
}

/** Returns undefined if the text is not a complete time. */
export function fromLocalTime(local: string): string | undefined {
  const time = new Date(local);
  return local === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** The reader's time zone with its name: "Asia/Tokyo (GMT+9)". */
export function describeZone(now = new Date()): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' }).formatToParts(now);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value;
  return offset === undefined || offset === timeZone ? timeZone : `${timeZone} (${offset})`;
}
