import { listTranslatableSteps } from '@usher/domain';
import { describe, expect, it } from 'vitest';
import { examples } from '../../components/preview/examples.ts';
import { listMissingTags, pathOfText, splitTags, textAtPath } from './texts.ts';
import { readProblems } from './write-translations.ts';

it.each(['tour', 'survey', 'choice', 'launcher', 'banner'] as const)(
  'finds every text of a %s at its path in the preview',
  (name) => {
    const example = examples[name];
    const all = listTranslatableSteps(example.id, example).flatMap(({ texts }) => texts);
    expect(all.length).toBeGreaterThan(0);
    for (const { modelId, field } of all) {
      const path = pathOfText(example.id, example, { modelId, field });
      expect(path && textAtPath(example.id, example, path)).toEqual({ modelId, field });
    }
    expect(pathOfText(example.id, example, { modelId: 'gone', field: 'title' })).toBe(undefined);
  },
);

describe('merge tags', () => {
  it('are separated from the words around them', () => {
    expect(splitTags('Hi {{first_name | fallback: "there"}}!')).toEqual([
      { text: 'Hi ', isTag: false },
      { text: '{{first_name | fallback: "there"}}', isTag: true },
      { text: '!', isTag: false },
    ]);
  });

  it('are missing if the translation has no tag of the same property', () => {
    const helper = '{{if {time_ago a in="days"} > 1}}';
    expect(splitTags(`${helper}x{{/if}}`).map(({ text }) => text)).toEqual([helper, 'x', '{{/if}}']);
    expect(listMissingTags('{{name fallback="there"}}', "{{name fallback='du'}}")).toEqual([]);
    expect(listMissingTags('{{if a || b}}x{{/if}}', '{{if a}}x{{/if}}')).toEqual(['{{if a || b}}']);
    const source = 'Hi {{first_name | fallback: "there"}}, {{plan}}';
    expect(listMissingTags(source, 'Hallo {{ first_name | fallback: "du" }}')).toEqual(['{{plan}}']);
    expect(listMissingTags(source, '')).toEqual([]);
  });
});

it('reads which text a message of the server is about', () => {
  const messages = [
    '`texts[1].text` must have 80 characters at most',
    '`texts[1].text` must not be blank',
    '`texts[0]` is no text of this Experience: load it again',
    '`language` is no language of this account',
  ];
  expect(readProblems(messages)).toEqual(
    new Map([
      [1, 'Must have 80 characters at most.'],
      [0, 'Is no text of this Experience: load it again.'],
    ]),
  );
});
