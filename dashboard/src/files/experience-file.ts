import { type ExperienceKind, pathOfKind, toFileKey } from '@usher/domain';
import { download, upload } from '../api/api.ts';
import { saveFile } from '../app/save-file.ts';
import { showError } from '../app/show-error.ts';

/** Saves the file of an Experience. */
export async function downloadExperience({ id, kind, name }: { id: string; kind: ExperienceKind; name: string }) {
  try {
    const file = await download('GET /v3/edit/{kind}/{id}/file', { kind: pathOfKind(kind), id });
    saveFile(file, `${toFileKey(name, kind)}.yaml`);
  } catch (error) {
    showError(error);
  }
}

/** Creates an Experience from a file. Returns its ID. */
export async function createFromFile(file: File): Promise<string> {
  return (await upload('POST /v3/edit/files/upload', {}, [file])).experience.id;
}

/** Replaces the draft of an Experience. */
export async function replaceByFile({ id, kind }: { id: string; kind: ExperienceKind }, file: File): Promise<void> {
  await upload('POST /v3/edit/{kind}/{id}/file', { kind: pathOfKind(kind), id }, [file]);
}

/** Asks the person for a file. Nothing happens if they choose none. */
export function chooseFile(onChoose: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.yaml,.yml';
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) onChoose(file);
  });
  input.click();
}
