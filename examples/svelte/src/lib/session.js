/* Stands for the sign-in of your product. It keeps the user in this tab. */

const key = 'example-user';

export function restoreUser() {
  return JSON.parse(sessionStorage.getItem(key) ?? 'null');
}

export function signIn() {
  sessionStorage.setItem(key, JSON.stringify({ id: '18821', firstName: 'Ann' }));
  return restoreUser();
}

export function signOut() {
  sessionStorage.removeItem(key);
  return null;
}
