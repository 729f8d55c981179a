export const texts = {
  ID_MODAL_LECHO_ALERT_TITLE: 'Check what you have typed',
  ID_MODAL_LECHO_ALERT_TEXT:
    'The page has other text in this field than you have seen while you typed. You now see what the page has. Should typing in this field be shown at once, before the page has answered?',
  'local-echo.go-on': 'Show at once',
  'local-echo.wait': 'Wait for the page',
  'local-echo.late': 'The page has not received this text yet',
};
