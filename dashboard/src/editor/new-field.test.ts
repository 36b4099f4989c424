import type { Field } from '@usher/domain/fields';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

/* A field that is declared in domain/src/fields/ and nowhere else. All modules are loaded again with it. */

beforeAll(async () => {
  vi.resetModules();
  const { stepFields } = await import('@usher/domain/fields');
  const subtitle: Field = { ...stepFields.title, name: 'subtitle', what: 'the subtitle' };
  Object.assign(stepFields, { subtitle });
});
afterAll(() => {
  vi.resetModules();
});

describe('a new text field of a step', () => {
  it('is completed, compared, merged and named', async () => {
    const { blank } = await import('./document.ts');
    const { diffDocuments } = await import('./diff.ts');
    const { isTextClash, mergeDocuments } = await import('./merge.ts');
    const { tourWith } = await import('./test-document.ts');
    const { fieldLabel } = await import('../messages/field-names.ts');
    const tour = (subtitle: string) => tourWith({ title: 'One', subtitle } as object);
    expect(blank.steps).toHaveProperty('subtitle', null);
    const [field] = diffDocuments(tour('Old'), tour('Mine')).fields;
    expect(field).toEqual({ of: 'a', field: 'subtitle', from: 'Old', to: 'Mine' });
    const { clashes } = mergeDocuments(tour('Old'), tour('Mine'), tour('Theirs'));
    expect(clashes.map(isTextClash)).toEqual([true]);
    expect(fieldLabel('subtitle')).toBe('Subtitle');
  });

  it('is found in the preview by what was painted', async () => {
    const { listTextPaths } = await import('../../../script/src/preview/text-paths.ts');
    const painted = ['Nice'];
    const step = { id: 's', subtitle: painted };
    expect(listTextPaths({ id: 'e', kind: 'tour', steps: [step] })(painted)).toBe('steps.0.subtitle');
  });
});
