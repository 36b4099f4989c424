import { kinds } from '@usher/domain/kinds';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { PageHeading } from '../../../app/page.tsx';
import { PreviewBar } from '../../../editor/preview/preview-bar.tsx';
import { usePreviewChoices } from '../../../editor/preview/preview-choices.ts';
import { Preview } from '../../../editor/preview/preview-frame.tsx';
import { Thumbnail } from '../../../editor/preview/thumbnail.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { type Example, type ExampleName, examples, translations } from './examples.ts';

const people = [{ id: 'ann', name: 'Ann Lee' }];
const profiles: Record<string, Record<string, unknown>> = { ann: { id: 'ann', uid: '1', first_name: 'Ann' } };
const languages = [{ code: 'ar' }, { code: 'ar-EG' }];

/** The preview with one Experience of each kind: for development, and for tests. `?example=survey&thumbnails=1` chooses. */
export default function PreviewPage() {
  const [params] = useSearchParams();
  return <PreviewExample key={params.toString()} params={params} />;
}

function PreviewExample({ params }: { params: URLSearchParams }) {
  const [experience, setExperience] = useState<Example>(
    () => examples[params.get('example') as ExampleName] ?? examples.tour,
  );
  const [choices, choose] = usePreviewChoices('example');
  const [step, setStep] = useState(Number(params.get('step') ?? 0));
  const [path, setPath] = useState('');
  const profile = profiles[choices.profileId ?? ''] ?? null;
  const { language, scheme } = choices;
  const shown = { id: experience.id, experience, translations, language, scheme, profile };
  return (
    <main className="flex h-dvh flex-col gap-3 p-4">
      <div className="flex flex-wrap items-end gap-3">
        <PageHeading title="Preview" />
        <TextField
          label="Title"
          value={titleOf(experience, step)}
          onChange={(title) => setExperience(withTitle(experience, step, title))}
        />
        <output>
          Step {step + 1} {path}
        </output>
      </div>
      <div className="flex min-h-0 flex-1 gap-3">
        {params.has('thumbnails') && (
          <ul className="flex flex-col gap-2 overflow-auto">
            {experience.steps.map(({ id }, index) => (
              <li key={id}>
                <button type="button" onClick={() => setStep(index)} aria-label={`Step ${index + 1}`}>
                  <Thumbnail {...shown} step={index} />
                </button>
              </li>
            ))}
          </ul>
        )}
        <Preview
          {...shown}
          step={step}
          width={choices.width}
          isTrying={choices.mode === 'try'}
          onText={setPath}
          onStep={setStep}
          className="flex-1 rounded-10 border border-line"
        />
      </div>
      <PreviewBar choices={choices} onChange={choose} languages={languages} people={people} />
    </main>
  );
}

function titleOf({ kind, title, steps }: Example, step: number): string {
  return (kinds[kind].parts === 'items' ? title : steps[step]?.title) ?? '';
}

function withTitle(experience: Example, step: number, title: string): Example {
  if (kinds[experience.kind].parts === 'items') return { ...experience, title };
  return { ...experience, steps: experience.steps.map((one, at) => (at === step ? { ...one, title } : one)) };
}
