import { CircleAlert, CircleCheck, FileText, Upload, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { DropZone } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { languageName } from '../../languages/language-names.ts';
import * as text from '../../messages/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { describeFileError, type FileResult } from './check-files.ts';
import { type ChosenFile, isReady, useUpload } from './use-upload.ts';

const texts = text.languages.files;
const DEFAULT = 'default';
const ACCEPTED = ['.json', '.yaml', '.yml'];

/** Files are dropped or chosen, checked by the server without writing anything, and then uploaded. */
export function UploadFiles({ codes }: { codes: readonly string[] }) {
  const files = useUpload();
  const { chosen, done, isChecking, isSending, error, warning } = files;
  const ready = chosen.filter(isReady);
  const hasProblems = !isChecking && ready.length > 0 && ready.length < chosen.length;
  return (
    <div className="flex flex-col gap-3">
      <DropZone
        aria-label={texts.dropLabel}
        onDrop={({ items }) => {
          const dropped = items.flatMap((item) => (item.kind === 'file' ? [item.getFile()] : []));
          void Promise.all(dropped).then(files.add);
        }}
        className="flex flex-col items-center gap-3 rounded-10 border border-dashed border-edge px-4 py-6 text-center text-13 text-soft transition-colors data-drop-target:border-accent data-drop-target:bg-accent-tint data-focus-visible:outline-2 data-focus-visible:outline-accent"
      >
        <Upload size={20} aria-hidden className="text-faint" />
        <p className="max-w-md">{texts.drop}</p>
        <FileTrigger allowsMultiple acceptedFileTypes={ACCEPTED} onSelect={(list) => files.add([...(list ?? [])])}>
          <Button>{texts.choose}</Button>
        </FileTrigger>
      </DropZone>
      {warning !== undefined && <Notice kind="warning">{warning}</Notice>}
      <ErrorNotice error={error} />
      <div role="status" className="flex items-center gap-2 text-13 text-soft empty:hidden">
        {(isChecking || isSending) && (
          <>
            <Spinner /> {isSending ? texts.sending : texts.checking}
          </>
        )}
      </div>
      {chosen.length > 0 && (
        <ul aria-label={texts.list} className="flex flex-col divide-y divide-line rounded-6 border border-line">
          {chosen.map((one) => (
            <ChosenItem key={one.file.name} chosen={one} codes={codes} onRemove={() => files.remove(one.file)} />
          ))}
        </ul>
      )}
      {chosen.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          {ready.length > 0 && (
            <Button look="primary" icon={Upload} isDisabled={isChecking || isSending} onPress={files.send}>
              {texts.upload(ready.length)}
            </Button>
          )}
          <Button onPress={files.clear}>{texts.clear}</Button>
          {hasProblems && <span className="text-13 text-soft">{texts.skipped}</span>}
        </div>
      )}
      <Results done={done} />
    </div>
  );
}

interface ChosenItemProps {
  chosen: ChosenFile;
  codes: readonly string[];
  onRemove: () => void;
}

function ChosenItem({ chosen: { file, problem, result }, codes, onRemove }: ChosenItemProps) {
  const errors = problem === undefined ? (result?.errors ?? []) : [problem];
  const code = result?.language.code ?? null;
  const isNew = code !== null && code !== DEFAULT && !codes.includes(code);
  return (
    <FileItem
      name={file.name}
      isFailed={errors.length > 0}
      action={<IconButton icon={X} size="small" label={texts.removeFile(file.name)} onPress={onRemove} />}
    >
      {errors.length > 0 ? (
        <FileErrors errors={errors} />
      ) : (
        result && (
          <>
            <p>{describeResult(result, texts.ready)}</p>
            {code === DEFAULT && result.updated_count > 0 && <p className="text-warn">{texts.sourceWarning}</p>}
            {isNew && <p>{texts.newLanguage(languageName(code))}</p>}
          </>
        )
      )}
    </FileItem>
  );
}

/** What the upload has done with each file. */
function Results({ done }: { done: readonly FileResult[] }) {
  const heading = useRef<HTMLParagraphElement>(null);
  // The pressed button may be gone, so the focus moves here.
  useEffect(() => {
    if (done.length > 0) heading.current?.focus();
  }, [done]);
  if (done.length === 0) return null;
  const count = done.filter(({ errors }) => errors.length === 0).length;
  return (
    <div role="status" className="flex flex-col gap-2">
      <p ref={heading} tabIndex={-1} className="text-14 font-medium outline-none">
        {texts.uploaded(count)}
      </p>
      <ul aria-label={texts.results} className="flex flex-col divide-y divide-line rounded-6 border border-line">
        {done.map((result) => (
          <FileItem key={result.file} name={result.file} isFailed={result.errors.length > 0} isDone>
            {result.errors.length > 0 ? (
              <FileErrors errors={result.errors} />
            ) : (
              <p>{describeResult(result, texts.done)}</p>
            )}
          </FileItem>
        ))}
      </ul>
    </div>
  );
}

interface FileItemProps {
  name: string;
  isFailed: boolean;
  isDone?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

function FileItem({ name, isFailed, isDone = false, action, children }: FileItemProps) {
  const Icon = isFailed ? CircleAlert : isDone ? CircleCheck : FileText;
  const color = isFailed ? 'text-bad' : isDone ? 'text-good' : 'text-faint';
  return (
    <li className="flex items-start gap-2.5 px-3 py-2 text-13">
      <Icon size={16} aria-hidden className={`mt-0.5 shrink-0 ${color}`} />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5 text-soft">
        <p className="font-medium wrap-anywhere text-ink">
          <bdi>{name}</bdi>
        </p>
        {children}
      </div>
      {action}
    </li>
  );
}

function FileErrors({ errors }: { errors: readonly string[] }) {
  return (
    <div className="text-bad">
      <p>{texts.failed}</p>
      <ul className="list-disc pl-4">
        {errors.map((error) => (
          <li key={error} className="wrap-anywhere">
            {describeFileError(error)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function describeResult(
  { language: { code }, updated_count, unchanged_count }: FileResult,
  describe: (count: number, language: string) => string,
): string {
  const name = code === null || code === DEFAULT ? text.languages.defaultTexts : languageName(code);
  if (updated_count === 0) return `${texts.nothing(name)}.`;
  const rest = unchanged_count > 0 ? `, ${texts.unchanged(unchanged_count)}` : '';
  return `${describe(updated_count, name)}${rest}.`;
}
