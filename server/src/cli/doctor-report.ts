import type { Health, HealthCheck, HealthCheckName } from '@usher/domain';

/** What a check has measured. The dashboard shows the same beside the message. */
export type Figures = Partial<Record<HealthCheckName, string>>;

export function toFigures(
  values: Pick<Health, 'version' | 'engine' | 'engine_version' | 'database_bytes' | 'free_disk_bytes'>,
): Figures {
  const { version, engine, engine_version, database_bytes, free_disk_bytes } = values;
  return {
    version,
    engine: `${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${engine_version}`,
    database: toSize(database_bytes),
    ...(free_disk_bytes !== null && { disk: `${toSize(free_disk_bytes)} free` }),
  };
}

/** Prints one line for each check, and a summary in the last line. */
export function toReport(checks: readonly HealthCheck[], figures: Figures, hasColors: boolean): string {
  const lines = checks.map((check) => toLine(check, figures[check.name], hasColors));
  return `${lines.join('')}\n${summarize(checks)}\n`;
}

const words = { good: 'ok', attention: 'attention', problem: 'problem' };
const colors = { good: 32, attention: 33, problem: 31 };

/** Beside a figure, a line without a problem needs no words. */
function toLine({ name, state, message }: HealthCheck, figure: string | undefined, hasColors: boolean): string {
  const word = words[state].padEnd(10);
  const shown = hasColors ? `\u001b[${colors[state]}m${word}\u001b[0m` : word;
  const text = figure === undefined ? message : state === 'good' ? figure : `${figure}. ${message}`;
  return `${shown} ${name.replace('_', ' ').padEnd(12)} ${text}\n`;
}

function summarize(checks: readonly HealthCheck[]): string {
  const count = (state: HealthCheck['state']) => checks.filter((check) => check.state === state).length;
  const [problems, attention] = [count('problem'), count('attention')];
  if (problems + attention === 0) return 'All is well.';
  return [
    ...(problems > 0 ? [`${problems} ${problems === 1 ? 'problem' : 'problems'}`] : []),
    ...(attention > 0 ? [`${attention} to look at`] : []),
  ]
    .join(', ')
    .concat('. /docs/doctor of the server explains each line.');
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

function toSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${(bytes / 1000 ** power).toFixed(power < 2 ? 0 : 1)} ${units[power]}`;
}
