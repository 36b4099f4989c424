import { describe, expect, it } from 'vitest';
import { CreateExperience } from '../content/experience-parameters.ts';
import { CreateSegment } from '../targeting/segment.ts';
import { compileUnknownParamFinder } from './unknown-params.ts';

const unknownIn = (schema: object, input: Record<string, unknown>, known: string[] = []) => {
  const found: string[] = [];
  compileUnknownParamFinder(schema, known)(input, found);
  return found;
};

describe('unknown parameters', () => {
  it('are listed with their paths, also within objects and lists', () => {
    const input = {
      name: 'Welcome',
      nmae: 'x',
      steps: [
        { title: 'A', buttons: [{ text: 'Next' }, { text: 'Go', colour: 'red' }] },
        { tilte: 'B', elements: [{ selector: '#a', shadow: 1 }], quantifier_urls: [{ url: '/', kind: 'x' }] },
      ],
      items: '[{"title": "A", "icon": "x"}]',
    };
    expect(unknownIn(CreateExperience, input)).toEqual([
      'nmae',
      'steps[0].buttons[1].colour',
      'steps[1].tilte',
      'steps[1].elements[0].shadow',
      'steps[1].quantifier_urls[0].kind',
      'items[0].icon',
    ]);
  });

  it('are not reported when all are known', () => {
    expect(unknownIn(CreateExperience, { name: 'A', segment_id: null, strict: 'true' }, ['strict'])).toEqual([]);
    expect(unknownIn(CreateExperience, { name: 'A', steps: 'wrong', items: 5, goal: null })).toEqual([]);
  });

  it('are found in filters at any depth', () => {
    const plan = { kind: 'property', prop: 'plan', op: 'eq', value: { a: 1 } };
    const group = { kind: 'group', filters: [plan, { kind: 'group', filters: [{ ...plan, valeu: 1 }] }] };
    expect(unknownIn(CreateSegment, { name: 'A', items: [plan, group, { ...plan, oper: 'eq' }] })).toEqual([
      'items[1].filters[1].filters[0].valeu',
      'items[2].oper',
    ]);
  });

  it('can have any name', () => {
    const input = JSON.parse('{"name": "A", "__proto__": 1, "constructor": 2, "toString": 3}');
    expect(unknownIn(CreateExperience, input)).toEqual(['__proto__', 'constructor', 'toString']);
  });
});
