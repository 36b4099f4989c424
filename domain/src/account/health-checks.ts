/** What is checked, in the order in which it is shown. */
export const healthCheckNames = [
  'settings',
  'version',
  'node',
  'storage',
  'engine',
  'schema',
  'integrity',
  'deleted_data',
  'database',
  'log',
  'disk',
  'connections',
  'page_loads',
  'clock',
  'public_url',
  'reachable',
  'page_url',
  'certificate',
  'proxy',
  'files',
  'secrets',
  'webhooks',
  'receivers',
  'streams',
  'batches',
  'sweep',
  'backups',
  'exports',
] as const;
export type HealthCheckName = (typeof healthCheckNames)[number];

export const healthGroups = ['server', 'storage', 'address', 'secrets', 'sending', 'work'] as const;
export type HealthGroup = (typeof healthGroups)[number];

export const groupOfCheck: Record<HealthCheckName, HealthGroup> = {
  settings: 'server',
  version: 'server',
  node: 'server',
  storage: 'storage',
  engine: 'storage',
  schema: 'storage',
  integrity: 'storage',
  deleted_data: 'storage',
  database: 'storage',
  log: 'storage',
  disk: 'storage',
  connections: 'storage',
  page_loads: 'storage',
  clock: 'storage',
  public_url: 'address',
  reachable: 'address',
  page_url: 'address',
  certificate: 'address',
  proxy: 'address',
  files: 'secrets',
  secrets: 'secrets',
  webhooks: 'sending',
  receivers: 'sending',
  streams: 'sending',
  batches: 'work',
  sweep: 'work',
  backups: 'work',
  exports: 'work',
};

/** From the best to the worst: `problem` means that something does not work now, or is not safe. */
export const healthStates = ['good', 'attention', 'problem'] as const;
export type HealthState = (typeof healthStates)[number];

export function worstState(checks: readonly { state: HealthState }[]): HealthState {
  const worst = Math.max(0, ...checks.map(({ state }) => healthStates.indexOf(state)));
  return healthStates[worst] ?? 'good';
}
