// Replaces the page by its charts as PNG, a line each: name, space, address of the data.
t2vDrawn.then(t2vPictures).then(pictures => pictures.map(([id, address]) => `${id} ${address}`).join('\n'),
  error => `error ${error}`).then(lines => {
  const place = document.createElement('pre');
  place.id = 't2v-pictures';
  place.textContent = lines;
  document.head.remove();
  document.body.replaceChildren(place);
});
