import { createApp } from 'vue';
import { createRouter, createWebHistory } from 'vue-router';
import App from './App.vue';
import HomePage from './HomePage.vue';
import ReportsPage from './ReportsPage.vue';

const routes = [
  { path: '/', component: HomePage },
  { path: '/reports', component: ReportsPage },
];
const router = createRouter({ history: createWebHistory(), routes });

createApp(App).use(router).mount('#app');
