import type { ExperienceTabProps } from '../../../editor/experience-tab-props.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Checkbox } from '../../../ui/choice.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { Link } from '../../../ui/link.tsx';
import { emailSnippet } from './email-snippet.ts';

const texts = text.targeting.publicPage;

/** The public page of a survey: whether it has one, its address, and what to copy into an email. */
export function PublicPageFields({ experience, editor }: ExperienceTabProps) {
  const { document, isReadOnly } = editor;
  const fields = fieldsOf(editor, '', document);
  const isOn = document.public_page ?? false;
  const url = experience.public_page_url ?? undefined;
  return (
    <div className="flex min-w-0 flex-col gap-3" {...fieldMark('', 'public_page')}>
      <Checkbox
        label={texts.label}
        help={texts.help}
        isSelected={isOn}
        onChange={(public_page) => fields.set({ public_page })}
        isDisabled={isReadOnly}
      />
      {isOn && url === undefined && <p className="text-13 text-soft">{texts.publishFirst}</p>}
      {isOn && url !== undefined && (
        <>
          <CodeBlock label={texts.address} code={url} />
          <Link href={url} className="self-start text-13">
            {texts.open}
          </Link>
          <Fold title={texts.email}>
            <p className="text-13 text-soft">
              {texts.emailHelp}{' '}
              <Link href="/docs/guides/survey-links#whose-answer-it-is" target="_blank">
                {texts.guide}
              </Link>
            </p>
            <CodeBlock label={texts.html} code={emailSnippet(url, document.steps, texts.answer)} />
          </Fold>
        </>
      )}
    </div>
  );
}
