/** The chosen options of an answer, as JSON: a question can have several. */
export function choices(): string[] {
  return ['alter table answers add column choices text'];
}
