import '@hotwired/turbo';

// Turbo replaces the body on each navigation, and this application binds its shortcuts once.
document.addEventListener('keydown', ({ key }) => {
  document.body.dataset.lastKey = key;
});
