import * as text from '../messages/text.ts';

/** Asks the browser, which knows the syntax best. Undefined if it is right, or empty. */
export function findSyntaxProblem(selector: string | null): string | undefined {
  if (selector === null) return undefined;
  try {
    document.createDocumentFragment().querySelector(selector);
    return undefined;
  } catch {
    return text.content.element.syntax;
  }
}
