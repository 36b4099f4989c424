import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ResponseOf, upload } from '../api/api.ts';
import { invalidate } from '../api/nouns.ts';
import * as text from '../messages/text.ts';
import { PictureProblem, preparePicture } from './prepare-picture.ts';

export type Picture = ResponseOf<'GET /v3/edit/pictures/{id}'>['picture'];

/** The pictures in what was pasted or dropped. */
export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}

/** Uploads a picture in the sizes that pages need, and without metadata. */
async function uploadPicture(file: File): Promise<Picture> {
  const files = await preparePicture(file);
  const name = file.name.replace(/\.\w{2,5}$/, '').trim();
  return (await upload('POST /v3/edit/pictures', name === '' ? {} : { name }, files)).picture;
}

/** Uploads one picture after the other. `problem` says what is wrong with the file, `error` what the server said. */
export function usePictureUpload(onUploaded: (picture: Picture) => void) {
  const client = useQueryClient();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [error, setError] = useState<unknown>();
  const send = async (file: File | undefined) => {
    if (!file || isPending) return;
    setPending(true);
    setProblem(undefined);
    setError(undefined);
    try {
      onUploaded(await uploadPicture(file));
      void invalidate(client, 'pictures');
    } catch (failure) {
      if (failure instanceof PictureProblem) setProblem(text.media.upload[failure.reason](file.name));
      else setError(failure);
    } finally {
      setPending(false);
    }
  };
  return { send, isPending, problem, error };
}
