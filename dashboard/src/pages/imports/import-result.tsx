import { Download } from 'lucide-react';
import { download } from '../../api/api.ts';
import { Section } from '../../app/page.tsx';
import { saveFile } from '../../app/save-file.ts';
import { showError } from '../../app/show-error.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type ImportRecord, isRunning, stateOf } from './import-state.tsx';

const texts = text.imports.result;

/** How far an import is, and what it has done so far, or would do. */
export function ImportResult({ record }: { record: ImportRecord }) {
  const { stats, tag, model_kind } = record;
  const running = isRunning(record);
  const isDry = stats.is_dry_run;
  const title = running ? text.imports.progress.title : isDry ? texts.dryTitle : texts.title;
  return (
    <Section title={title} {...(isDry && !running && { intro: texts.dryIntro })}>
      {running && <Progress record={record} />}
      {stateOf(record) === 'retrying' && <Notice kind="warning">{text.imports.progress.retrying}</Notice>}
      {stateOf(record) === 'error' && (
        <Notice kind="error" title={texts.stopped}>
          {stats.last_import_error}
        </Notice>
      )}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-5">
        {(['created', 'updated', 'deleted', 'ignored', 'failed'] as const).map((name) => (
          <div key={name} className="flex flex-col">
            <dt className="text-13 text-soft">{texts[name]}</dt>
            <dd className="text-20 font-medium tabular-nums">{formatNumber(stats[`${name}_count`])}</dd>
          </div>
        ))}
      </dl>
      {tag !== null && !isDry && stateOf(record) === 'completed' && (
        <p className="text-14 text-soft">
          {texts.tagged(tag)} {model_kind === 'profile' && <Link href={taggedPath(tag)}>{texts.people}</Link>}
        </p>
      )}
      {stats.failed_count > 0 && (
        <Button icon={Download} className="self-start" onPress={() => void saveErrors(record)}>
          {texts.errors}
        </Button>
      )}
    </Section>
  );
}

function Progress({ record: { stats } }: { record: ImportRecord }) {
  const { rows_count: all, last_row: done } = stats;
  const { of, done: only, label } = text.imports.progress;
  const words = all === null ? only(formatNumber(done), done) : of(formatNumber(done), formatNumber(all), all);
  const share = all ? Math.min(100, (100 * done) / all) : 0;
  return (
    <div className="flex flex-col gap-1.5">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuetext={words}
        {...(all !== null && { 'aria-valuemin': 0, 'aria-valuemax': all, 'aria-valuenow': done })}
        className="h-2 overflow-hidden rounded-full bg-pressed forced-colors:border"
      >
        <div className="h-full bg-accent forced-colors:bg-[Highlight]" style={{ width: `${share}%` }} />
      </div>
      <p className="text-13 text-soft tabular-nums">{words}</p>
    </div>
  );
}

function taggedPath(tag: string): string {
  const filters = [{ kind: 'property', prop: 'import_tags', op: 'in-a', value: tag }];
  return `/app/people?filters=${encodeURIComponent(JSON.stringify(filters))}`;
}

async function saveErrors({ id, name }: ImportRecord): Promise<void> {
  try {
    const file = await download('GET /v3/edit/imports/{id}/errors.{format}', { id, format: 'csv' });
    saveFile(file, texts.errorsFile(name));
  } catch (error) {
    showError(error);
  }
}
