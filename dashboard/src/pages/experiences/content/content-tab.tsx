import { kinds } from '@usher/domain/kinds';
import { Plus } from 'lucide-react';
import { useLocation } from 'wouter';
import { addPart } from '../../../editor/commands.ts';
import type { ExperienceTabProps } from '../../../editor/experience-tab-props.ts';
import { pathOfPlace } from '../../../fields/place-of-path.ts';
import { addressOfField, isTargetingField } from '../../../fields/targeting-fields.ts';
import { useFieldInAddress } from '../../../fields/use-field-in-address.ts';
import { newStepFields } from '../../../kinds/new-parts.ts';
import * as text from '../../../messages/text.ts';
import { EarlierAnswersContext } from '../../../text-editor/earlier-answers.ts';
import { ThemeField } from '../../../themes/theme-field.tsx';
import { Button } from '../../../ui/button.tsx';
import { Drawing } from '../../../ui/drawing.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { EditorBar } from '../who/index.ts';
import { ContentPreview } from './content-preview.tsx';
import { ItemInspector, LauncherInspector } from './launcher-inspector.tsx';
import { PartList } from './part-list.tsx';
import { StepInspector } from './step-inspector.tsx';
import { earlierAnswersOf } from './survey-steps.ts';
import { partsOf, type Selection, useSelection } from './use-selection.ts';

const texts = text.content;

/** The tab "Content": the steps at the left, the preview in the middle, the selected part at the right. */
export default function ContentTab({ experience, editor }: ExperienceTabProps) {
  const selection = useSelection(editor);
  const { document } = editor;
  const [, navigate] = useLocation();
  const goTo: Selection['goTo'] = (of, field) => {
    if (field === undefined || !isTargetingField(field)) return selection.goTo(of, field);
    navigate(addressOfField(experience.id, pathOfPlace(document, of, field)) ?? '');
  };
  useFieldInAddress(document, goTo);
  if (kinds[document.kind].parts === 'steps' && document.steps.length === 0)
    return (
      <div className="flex min-h-0 flex-1 flex-col">
        <NoSteps editor={editor} selection={selection} />
        <EditorBar experience={experience} editor={editor} goTo={goTo} />
      </div>
    );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="grid flex-1 grid-cols-1 gap-4 pt-3 md:grid-cols-[12rem_minmax(0,1fr)_20rem] lg:grid-cols-[14rem_minmax(0,1fr)_22rem]">
        <section
          aria-label={kinds[document.kind].parts === 'items' ? texts.items : texts.steps}
          className="-mx-4 overflow-x-auto px-4 py-1 md:sticky md:mx-0 md:overflow-x-visible md:overflow-y-auto md:px-0.5 md:top-39 md:max-h-[calc(100dvh-14rem)] md:self-start"
        >
          <PartList experience={experience} editor={editor} selection={selection} />
        </section>
        <section
          aria-label={texts.preview}
          className="h-112 overflow-hidden rounded-10 border border-line bg-surface md:sticky md:top-40 md:h-[calc(100dvh-14rem)]"
        >
          <ContentPreview id={experience.id} editor={editor} selection={selection} />
        </section>
        <Inspector experience={experience} editor={editor} selection={selection} />
      </div>
      <EditorBar experience={experience} editor={editor} goTo={goTo} />
    </div>
  );
}

/** The settings of the selected part. */
function Inspector({ experience, editor, selection }: ExperienceTabProps & { selection: Selection }) {
  const { document } = editor;
  const { part, selected } = selection;
  const place = partsOf(document).findIndex(({ id }) => id === part?.id) + 1;
  const title = !part ? texts.launcher : 'buttons' in part ? texts.step(place) : texts.item(place);
  return (
    <EarlierAnswersContext value={earlierAnswersOf(document, selected ?? '')}>
      <section aria-label={texts.inspector} className="flex min-w-0 flex-col gap-3 pb-6" key={selected}>
        <h2 className="text-14 font-semibold">{title}</h2>
        {part && 'buttons' in part && (
          <StepInspector experience={experience} editor={editor} step={part} selection={selection} />
        )}
        {part && !('buttons' in part) && <ItemInspector editor={editor} item={part} />}
        {!part && kinds[document.kind].parts === 'items' && <LauncherInspector editor={editor} />}
        <ThemeField editor={editor} />
      </section>
    </EarlierAnswersContext>
  );
}

function NoSteps({ editor, selection }: Pick<ExperienceTabProps, 'editor'> & { selection: Selection }) {
  const { title, description, action } = texts.empty;
  const add = () => {
    const command = addPart('steps', newStepFields(editor.document));
    editor.change(command);
    selection.goTo(command.id, 'title');
  };
  return (
    <div className="flex-1 pt-6">
      <EmptyState
        picture={<Drawing of="steps" />}
        title={title}
        action={
          !editor.isReadOnly && (
            <Button look="primary" icon={Plus} onPress={add}>
              {action}
            </Button>
          )
        }
      >
        {description}
      </EmptyState>
    </div>
  );
}
