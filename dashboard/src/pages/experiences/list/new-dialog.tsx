import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ExperienceKind, experienceKinds, pathOfKind, type TemplateId } from '@usher/domain';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../../api/api.ts';
import { invalidate } from '../../../api/nouns.ts';
import { query } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { shownIn } from '../../../editor/document.ts';
import { findFreeName } from '../../../experiences/free-name.ts';
import { chooseFile, createFromFile } from '../../../files/experience-file.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TemplateList } from './template-list.tsx';
import { TemplatePreview } from './template-preview.tsx';

const texts = text.experiences;

/**
 * Creates a draft from a template or from scratch, and opens it. The first template of the kind that the list shows is
 * chosen at first.
 */
export function NewDialog({ kind: shownKind, onClose }: { kind: string; onClose: () => void }) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const { data, error } = useQuery(query('GET /v3/edit/templates'));
  const [chosen, setChosen] = useState<TemplateId>();
  const [failure, setFailure] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const first = data?.templates.find(({ kind }) => kind === shownKind) ?? data?.templates[0];
  const template = data?.templates.find(({ id }) => id === chosen) ?? first;
  const create = async (kind: ExperienceKind, name: string, template_id?: TemplateId) => {
    if (isPending) return;
    setPending(true);
    try {
      const made = await api('POST /v3/edit/{kind}', {
        kind: pathOfKind(kind),
        name: await findFreeName(name),
        ...(template_id && { template_id }),
      });
      void invalidate(client, 'experiences', 'live');
      navigate(`/app/experiences/${shownIn(made, kind).id}`);
    } catch (error) {
      setFailure(error);
      setPending(false);
    }
  };
  const createFrom = async (file: File) => {
    setPending(true);
    try {
      const id = await createFromFile(file);
      void invalidate(client, 'experiences', 'live');
      navigate(`/app/experiences/${id}`);
    } catch (error) {
      setFailure(error);
      setPending(false);
    }
  };
  const createChosen = () => template && void create(template.kind, template.name, template.id);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.newDialog.title}
      size="wide"
      buttons={
        <Button look="primary" onPress={createChosen} isPending={isPending} isDisabled={!template}>
          {texts.newDialog.create}
        </Button>
      }
    >
      <ErrorNotice error={failure ?? error} />
      <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-[17rem_minmax(0,1fr)] md:grid-rows-[auto_1fr]">
        <div className="md:row-span-2">
          {template && (
            <TemplateList
              templates={data?.templates ?? []}
              chosen={template.id}
              onChoose={setChosen}
              onCreate={createChosen}
            />
          )}
        </div>
        <TemplatePreview key={template?.id} template={template} />
        <div className="flex flex-col gap-3">
          <h3 className="text-13 font-medium text-soft">{texts.newDialog.blank}</h3>
          <div className="flex flex-wrap gap-2">
            {experienceKinds.map((kind) => (
              <Button key={kind} onPress={() => void create(kind, texts.newDialog.blankName(texts.kinds[kind]))}>
                {texts.kinds[kind]}
              </Button>
            ))}
            <Button icon={Upload} onPress={() => chooseFile((file) => void createFrom(file))}>
              {text.files.fromFile}
            </Button>
          </div>
        </div>
      </div>
    </Dialog>
  );
}
