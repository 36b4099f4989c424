/** Editors check the file by the schema, and complete what is typed. */
export function schemaLine(folder: string): string {
  return `# yaml-language-server: $schema=../schema/${folder}.json`;
}
