/** What receivers and pages that were made for another service need: further webhook headers, and `percent` in unproven pages. */
export function scriptAlias(): string[] {
  return [
    'alter table webhooks add column id_header text',
    'alter table webhooks add column signature_header text',
    'alter table accounts add column allow_percent boolean not null default false',
  ];
}
