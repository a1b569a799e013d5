// What a page of a run can do besides HTML and CSS; without it everything is shown as well.

const filter = document.querySelector('#filter');
const requirements = [...document.querySelectorAll('.requirement')];

const show = (kind) => {
  filter.value = kind;
  for (const one of requirements) one.hidden = kind !== '' && !one.classList.contains(kind);
  for (const one of document.querySelectorAll('.chapter, .chapter details:has(.requirement)')) {
    one.hidden = !one.querySelector('.requirement:not([hidden])');
    one.open ||= kind !== '';
  }
};
filter.addEventListener('change', () => show(filter.value));
filter.parentElement.hidden = false;
show('');

// What a link leads to must not be hidden.
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.hidden) show('');
  for (let around = target; around; around = around.parentElement) if (around.matches('details')) around.open = true;
  if (target.matches('.requirement')) target.querySelector('details')?.setAttribute('open', '');
  target.scrollIntoView();
};
addEventListener('hashchange', reveal);
reveal();

for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = button.parentElement.querySelector('code');
    getSelection().selectAllChildren(code);
    const copied = await navigator.clipboard?.writeText(code.textContent).then(
      () => true,
      () => document.execCommand('copy'),
    );
    button.textContent = copied ? 'Copied' : 'Selected';
  });
}
