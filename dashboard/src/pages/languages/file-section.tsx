import { Download } from 'lucide-react';
import { Suspense, useState } from 'react';
import { download } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { lazyComponent } from '../../app/lazy-component.ts';
import { Section } from '../../app/page.tsx';
import { saveFile } from '../../app/save-file.ts';
import { showError } from '../../app/show-error.ts';
import { languageName } from '../../languages/language-names.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

// The code for dragging is large, so it is loaded only when it is needed.
const UploadFiles = lazyComponent(() => import('./upload-files.tsx').then((module) => module.UploadFiles));

const texts = text.languages.files;
const TEMPLATE = 'default';
const formats = ['json', 'yaml'] as const;

/** Translation files: downloads one language or the template, and uploads translated files. */
export function FileSection({ codes }: { codes: readonly string[] }) {
  const { can } = useSession();
  return (
    <Section title={texts.title} intro={texts.intro}>
      <DownloadFile codes={codes} />
      {can('translate') && (
        <Suspense fallback={<Skeleton height={152} />}>
          <UploadFiles codes={codes} />
        </Suspense>
      )}
    </Section>
  );
}

function DownloadFile({ codes }: { codes: readonly string[] }) {
  const [chosen, setChosen] = useState(TEMPLATE);
  const [format, setFormat] = useState<(typeof formats)[number]>('json');
  const [isPending, setPending] = useState(false);
  const language = codes.includes(chosen) ? chosen : TEMPLATE;
  const start = async () => {
    setPending(true);
    try {
      const file = await download('GET /v3/edit/experiences/i18n', { format, language, archived: false });
      saveFile(file, texts.fileName(language, format));
    } catch (error) {
      showError(error);
    } finally {
      setPending(false);
    }
  };
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <Select
        label={texts.language}
        options={[
          { value: TEMPLATE, label: texts.template },
          ...codes.map((code) => ({ value: code, label: languageName(code), description: code })),
        ]}
        value={language}
        onChange={setChosen}
        className="w-60 max-sm:flex-1"
      />
      <Select
        label={texts.format}
        options={formats.map((value) => ({ value, label: texts.formats[value] }))}
        value={format}
        onChange={setFormat}
        className="w-28"
      />
      <Button icon={Download} isPending={isPending} onPress={start}>
        {texts.download}
      </Button>
    </div>
  );
}
