/** A condition: nothing was published since this version, so what the page load has in memory is still right. */
export function isAtVersion(version: string): string {
  return `coalesce((select version from published_versions where published_versions.account_id = :account), 0) = ${version}`;
}
