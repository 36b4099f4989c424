/** Whether texts may show values of the page's `window`. */
export function pageValues(): string[] {
  return ['alter table accounts add column allow_globals boolean not null default false'];
}
