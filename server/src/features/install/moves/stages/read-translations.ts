import { type ExperienceKind, isRecord, pathOfKind } from '@usher/domain';
import { movePictures } from '../move-pictures.ts';
import type { MoveRun } from '../move-run.ts';
import { readRecords, readText, readTexts } from '../read-record.ts';
import { readFileBody, type SourceExperience } from './read-experiences.ts';

/** The texts of the Experiences of one kind in one language, by the ID of the Experience. */
interface TranslatedKind {
  kind: ExperienceKind;
  code: string;
  /** Undefined if the other service does not give them. */
  experiences: ReadonlyMap<string, Record<string, unknown>> | undefined;
}

export interface SourceTranslations {
  /** The languages besides `default`. */
  codes: readonly string[];
  kinds: readonly TranslatedKind[];
}

/** Reads the translation files of all kinds that there are. */
export async function readTranslations(
  run: MoveRun,
  experiences: readonly SourceExperience[],
): Promise<SourceTranslations> {
  const kinds = [...new Set(experiences.map(({ kind }) => kind))];
  const codes = new Set<string>();
  for (const kind of kinds) {
    const body = await readFileBody(run, pathOfKind(kind), 'default');
    for (const code of readTexts(isRecord(body?.language) ? body.language.options : [])) codes.add(code);
  }
  codes.delete('default');
  const translated: TranslatedKind[] = [];
  for (const kind of kinds)
    for (const code of codes) {
      const body = await readFileBody(run, pathOfKind(kind), code);
      const experiences =
        body &&
        new Map(
          readRecords(await movePictures(run, body.experiences)).map((record) => [readText(record.id) ?? '', record]),
        );
      translated.push({ kind, code, experiences });
    }
  return { codes: [...codes], kinds: translated };
}

/** The texts of one Experience, by their language. A language comes after its parents, whose texts it shows where it has none. */
export function textsOf(
  translations: SourceTranslations,
  id: string,
): [code: string, texts: Record<string, unknown>][] {
  return translations.kinds
    .flatMap(({ code, experiences }): [string, Record<string, unknown>][] => {
      const texts = experiences?.get(id);
      return texts ? [[code, texts]] : [];
    })
    .toSorted(([one], [other]) => one.length - other.length || (one < other ? -1 : 1));
}
