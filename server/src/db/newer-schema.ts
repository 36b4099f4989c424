/** A newer version has changed the schema. Starting this one would write what that version does not expect. */
export class NewerSchema extends Error {
  constructor(migration: string, version: string, writtenBy: string | undefined) {
    const needed = writtenBy === undefined || writtenBy === version ? 'the version that it ran with' : writtenBy;
    super(
      `this is Usher ${version}, and a newer version has changed the schema of the database (${migration}): start ${needed} or a newer one. To return to this version, restore a backup from before the update`,
    );
  }
}
