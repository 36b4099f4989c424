import { describe, expect, it } from 'vitest';
import { findShortcutProblem, normalizeShortcut } from './shortcut.ts';

describe('normalizeShortcut', () => {
  it.each([
    ['Alt+H', 'Alt+H'],
    ['shift + alt + h', 'Alt+Shift+H'],
    ['CTRL+shift+7', 'Ctrl+Shift+7'],
    ['?', undefined],
    ['Alt', undefined],
    ['Alt+', undefined],
    ['Alt+Alt+H', undefined],
    ['Meta+K', undefined],
    ['Alt+F4', undefined],
    ['', undefined],
  ])('reads %j as %j', (shortcut, expected) => {
    expect(normalizeShortcut(shortcut)).toBe(expected);
  });
});

describe('findShortcutProblem', () => {
  it.each(['Alt+H', 'alt+shift+1', 'Ctrl+Shift+L'])('allows %s', (shortcut) => {
    expect(findShortcutProblem(shortcut)).toBeUndefined();
  });

  it.each([
    ['Ctrl+T', 'belongs to browsers'],
    ['Ctrl+Shift+T', 'belongs to browsers'],
    ['Alt+D', 'belongs to browsers'],
    ['Alt+1', 'belongs to browsers'],
    ['H', 'types a character'],
    ['Shift+H', 'types a character'],
    ['Ctrl+Alt+E', 'types a character on some keyboards'],
    ['Cmd+K', 'is no shortcut'],
    ['F1', 'is no shortcut'],
  ])('rejects %s, because it %s', (shortcut, reason) => {
    expect(findShortcutProblem(shortcut)).toContain(reason);
  });
});
