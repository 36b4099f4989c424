const names: Record<string, string> = {
  ...{ staging: 'Staging', stage: 'Staging', stg: 'Staging' },
  ...{ test: 'Test', testing: 'Test', qa: 'Test', uat: 'Test' },
  ...{ dev: 'Development', development: 'Development' },
};

/** The Environment that the name of a host suggests, such as Staging for `staging.example.com` and `app-staging.example.com`. */
export function proposeEnvironment(host: string): string | undefined {
  const words = host.split('.').slice(0, -2).join('-').split('-');
  return words.map((word) => names[word]).find((name) => name !== undefined);
}
