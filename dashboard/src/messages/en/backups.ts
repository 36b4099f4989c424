import { titles } from './titles.ts';

/** Texts of the page "Backups". */
export const backups = {
  title: titles.backups,
  intro: 'A backup has everything of this installation, of all accounts, but not the master key.',
  create: 'Back up now',
  running: 'A backup is being made',
  written: (bytes: string, total: string) => `${bytes} written, of about ${total}`,
  place: (place: string, hours: string, keep: string) => `In ${place}, ${hours}, the last ${keep} are kept.`,
  every: (hours: number) => (hours === 24 ? 'every day' : hours === 1 ? 'every hour' : `every ${hours} hours`),
  failed: 'The last backup failed',
  unreadable: 'The backups cannot be listed',
  tried: 'Tried',
  columns: { created: 'Made', bytes: 'Size', kept: 'Kept until', actions: 'Actions' },
  more: 'Restore…',
  moreOf: (time: string) => `Restore the backup of ${time}`,
  empty: {
    title: 'No backups yet',
    text: 'The first one is made when the server starts.',
  },
  noPlace: {
    title: 'No backups are made automatically',
    text: 'The operator of this server sets USHER_BACKUP_TO to a folder on another disk, or to s3://bucket/prefix, and starts it again.',
  },
  restore: {
    title: 'Restore a backup',
    why: 'A restore replaces everything in all accounts, and nothing may write meanwhile. So it needs a stop of the server, which a page of this server cannot start again: run it where the server runs.',
    of: (time: string) => `The backup of ${time}`,
    steps: {
      stop: 'Stop Usher, on every node.',
      run: 'Run this, with the settings of the server:',
      start: 'Start Usher, look at it, and let it send to webhooks again:',
    },
    command: 'Restore',
    resume: 'Send again',
    effects: 'What happens',
    effect: {
      lost: 'What was stored after the backup is gone from the database.',
      kept: {
        sqlite: 'The database that is replaced stays beside the new one, as usher.db.before-restore-…',
        postgres: 'What is in the database now is gone: make a backup first.',
      },
      forgotten: 'Users who were forgotten after the backup are forgotten again.',
      back: 'Secrets that were revoked, and people who were removed, after the backup are back: check the team and the API secrets.',
      paused: 'Webhooks are paused until you let them send again.',
    },
  },
};
