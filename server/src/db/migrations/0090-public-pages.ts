/** The public page of a survey has a key, and a Response from there knows the link or the browser that it came from. */
export function publicPages(): string[] {
  return ['alter table experiences add column public_key text', 'alter table responses add column link_id text'];
}
