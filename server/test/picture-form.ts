/** The form that uploads a picture, in one or two sizes. */
export function pictureForm(...files: Uint8Array[]): FormData {
  const form = new FormData();
  for (const [at, file] of files.entries()) form.append('files[]', new Blob([new Uint8Array(file)]), `login-${at}.png`);
  return form;
}
