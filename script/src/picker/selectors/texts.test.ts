import { describe, expect, it } from 'vitest';
import { stableWordsOf } from './texts.ts';

describe('stableWordsOf', () => {
  it('leaves out numbers, because they count something', () => {
    expect(stableWordsOf('Inbox (3)')).toBe('Inbox');
    expect(stableWordsOf('  4 new\n messages ')).toBe('new messages');
    expect(stableWordsOf('Total: 1,204.50 in this month')).toBe('in this month');
    expect(stableWordsOf('2026')).toBe('');
  });

  it('shortens a long text after a whole word', () => {
    expect(stableWordsOf('Everything that you need to know about invoices')).toBe(
      'Everything that you need to know about',
    );
    expect(stableWordsOf('x'.repeat(90))).toBe('x'.repeat(40));
  });

  it('keeps letters of every script', () => {
    expect(stableWordsOf('Änderungen speichern')).toBe('Änderungen speichern');
    expect(stableWordsOf('保存する')).toBe('保存する');
  });
});
