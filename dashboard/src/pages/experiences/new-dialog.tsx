import { useQuery } from '@tanstack/react-query';
import { type ExperienceKind, experienceKinds, pathOfKind, type TemplateId } from '@usher/domain';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useLocation } from 'wouter';
import { api } from '../../api/api.ts';
import { query } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { KindIcon } from '../home/kind-icon.tsx';

const texts = text.experiences;

/** Creates a draft from a template or from scratch, and opens it. */
export default function NewDialog({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const { data, error } = useQuery(query('GET /v3/edit/templates'));
  const [failure, setFailure] = useState<unknown>();
  const create = async (kind: ExperienceKind, name: string, template_id?: TemplateId) => {
    try {
      const made = await api('POST /v3/edit/{kind}', {
        kind: pathOfKind(kind),
        name,
        ...(template_id && { template_id }),
      });
      const [experience] = Object.values(made) as unknown as { id: string }[];
      if (experience) navigate(`/app/experiences/${experience.id}`);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Dialog isOpen onClose={onClose} title={texts.newDialog.title} size="large">
      <ErrorNotice error={failure ?? error} />
      <h3 className="text-13 font-medium text-soft">{texts.newDialog.templates}</h3>
      <ul className="grid gap-2 sm:grid-cols-2">
        {data?.templates.map(({ id, kind, name, description }) => (
          <li key={id}>
            <AriaButton
              onPress={() => void create(kind, name, id)}
              className="flex w-full items-start gap-3 rounded-10 border border-line p-3 text-start data-hovered:bg-hover"
            >
              <KindIcon kind={kind} />
              <span className="flex min-w-0 flex-col gap-0.5">
                <span className="text-14 font-medium">{name}</span>
                <span className="text-13 text-soft">{description}</span>
              </span>
            </AriaButton>
          </li>
        ))}
      </ul>
      <h3 className="text-13 font-medium text-soft">{texts.newDialog.blank}</h3>
      <div className="flex flex-wrap gap-2">
        {experienceKinds.map((kind) => (
          <Button key={kind} onPress={() => void create(kind, texts.newDialog.blankName(texts.kinds[kind]))}>
            {texts.kinds[kind]}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}
