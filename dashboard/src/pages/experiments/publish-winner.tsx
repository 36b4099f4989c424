import { useSend } from '../../api/queries.ts';
import { Section } from '../../app/page.tsx';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import type { Experiment } from './experiment-state.tsx';

const texts = text.experiments;

/** Ends an experiment with one of its variants for everybody, or without. */
export function PublishWinner({ experiment: { id, name, variants } }: { experiment: Experiment }) {
  const publish = useSend('POST /v3/edit/experiments/{id}/publish_winner', ['experiences', 'kinds']);
  const end = useSend('POST /v3/edit/experiments/{id}/end', ['experiences', 'kinds']);
  const undo = useSend('POST /v3/edit/experiments/{id}/undo', ['experiences', 'kinds']);
  const options = {
    onSuccess: () =>
      showUndo({ title: texts.ended(name), about: [`experiments/${id}`], undo: () => undo.mutateAsync({ id }) }),
    onError: showError,
  };
  return (
    <Section title={texts.winner} intro={texts.winnerIntro}>
      <div className="flex flex-wrap gap-2">
        {variants.map((variant) => (
          <Button key={variant.id} onPress={() => publish.mutate({ id, variant_id: variant.id }, options)}>
            {variant.experience_id === null ? texts.publishNothing : texts.publish(variant.name)}
          </Button>
        ))}
        <Button onPress={() => end.mutate({ id }, options)}>{texts.end}</Button>
      </div>
    </Section>
  );
}
